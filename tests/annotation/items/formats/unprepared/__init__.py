"""Files of shapes that nothing was prepared for, as teams have them; all made up here."""
