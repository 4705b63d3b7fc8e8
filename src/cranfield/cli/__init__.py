"""The command line: parse, one library call, render. Nothing else prints or exits."""
