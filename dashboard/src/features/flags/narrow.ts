/** Where a row has no room, and is a card. */
export const NARROW = "(max-width: 48em)";
