"""Write connections and keep their keys (`changes`), and ask over them (`client`)."""
