"""Tables for papers, pull requests and pages: numbers and words only, so that nothing that draws is loaded."""
