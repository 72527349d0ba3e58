import type { EnrichedFlag } from "../../shared/api/types.ts";
import type { Favourites } from "../../shared/flags/use-favourites.ts";
import type { Columns } from "./columns.ts";
import type { UsageByFlag } from "../../shared/data/usage-of-flags.ts";
import type { Selection } from "./bulk/selection.ts";

export interface FlagListProps {
  flags: readonly EnrichedFlag[];
  /** Undefined if the user may not change flags. Then flags cannot be selected. */
  selection?: Selection | undefined;
  favouriteIds: Favourites["ids"];
  columns: Columns;
  usage: UsageByFlag | undefined;
  onFavourite: (flagId: number, isFavourite: boolean) => void;
}
