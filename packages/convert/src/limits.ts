/** The limits of the service (docs/use/api.md, Limits) and its forms of keys. */

/** The most ordered rules of a strategy, besides its own fields. */
export const MAX_RULES = 50;
export const MAX_CONSTRAINTS = 50;
export const MAX_SEGMENTS = 20;
export const MAX_VALUES = 1000;
/** The most characters of a key that a roll-out or a split hashes. */
export const MAX_HASH_KEY = 128;
export const MAX_NAME = 200;
export const MAX_RULE_NAME = 100;

/** Not `.` or `..`, which a URL cannot contain. */
export const FLAG_KEY = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/;
export const VARIANT_KEY = /^[A-Za-z0-9._-]{1,64}$/;
