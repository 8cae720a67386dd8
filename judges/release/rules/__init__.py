"""What a study’s report (`report`) and its methods paragraph (`methods`) say, over plain values."""
