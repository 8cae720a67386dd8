"""The documentation as the product serves it, and the glossary that pages share with it."""
