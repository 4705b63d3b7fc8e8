"""Charts, drawn on the server as SVG: no script, no style in the page, colours from the style sheet."""
