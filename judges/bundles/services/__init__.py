"""Write bundles, read them, and restore studies from them."""
