/** The words that a list lacks, as a property that no list has. */
type Complete<Word extends string, List extends readonly Word[]> = [Word] extends [List[number]]
  ? unknown
  : { readonly missing: Exclude<Word, List[number]> };

/**
 * Returns a list of all words of a type, such as an enum of the API description. A word that the list
 * lacks, or has in addition, is a type error.
 */
export const every =
  <Word extends string>() =>
  <const List extends readonly Word[]>(list: List & Complete<Word, List>): List =>
    list;
