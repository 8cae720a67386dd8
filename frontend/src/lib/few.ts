/** Fewer than this many questions or answers are better read as counts than as shares and coefficients. */
export const FEW = 10;
