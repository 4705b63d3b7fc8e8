"""How far judges agree beyond chance."""
