"""Speed and memory of Cranfield beside pytrec_eval, ir_measures and ranx: `make bench`."""
