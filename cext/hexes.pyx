"""Sets of hexes as bits: everything is in hexes.pxd, this module shows its figures to Python."""
