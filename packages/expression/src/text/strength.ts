/** How strongly operators bind, as in JavaScript; those that the format lacks are known so that reading recovers. */
export const ANY = 1;
export const TERNARY = 2;
export const COALESCE = 3;
export const AND = 4;
export const BIT_OR = 5;
export const BIT_XOR = 6;
export const BIT_AND = 7;
export const EQUALITY = 8;
export const RELATION = 9;
export const SHIFT = 10;
export const SUM = 11;
export const PRODUCT = 12;
export const POWER = 13;
export const UNARY = 14;
export const POSTFIX = 16;
export const PRIMARY = 17;
