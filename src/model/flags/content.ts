import type { FlagPrerequisite } from "../../core/flags/prerequisites.ts";
import type { FlagClients, FlagValues, ValueType } from "../../core/flags/variants.ts";
import type { FlagType } from "../../db/schema/projects.ts";
import type { ChangeOf } from "../../core/lib/input.ts";
import { type NamedTag, type TagInput, attachedTagInputs } from "./attached-tags.ts";
import type { FlagRow, FlagWithTags } from "./queries.ts";
import { valuesOf } from "./values.ts";

interface FlagContent {
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly (TagInput | NamedTag)[];
  readonly prerequisites: readonly FlagPrerequisite[];
  readonly ownerIds: readonly number[];
  readonly clients: FlagClients;
}

/** The fields of a flag that a caller can change. */
export type FlagChange = ChangeOf<FlagContent & Omit<FlagValues, "valueType">>;

export interface NewFlag extends FlagChange {
  readonly key: string;
  readonly name: string;
  readonly flagType: FlagType;
  readonly tags: readonly (TagInput | NamedTag)[];
  readonly valueType?: ValueType | undefined;
  /** Default: false. */
  readonly archived?: boolean;
}

/** Returns what a flag contains besides its description and its tags. */
export const flagContent = (flag: FlagRow) => ({
  name: flag.name,
  ...valuesOf(flag),
  prerequisites: flag.prerequisites,
  ownerIds: flag.ownerIds,
  clients: flag.clients,
});

/** Returns the fields of a flag that a record of the action `flag.updated` can contain. */
export const recordedContent = (flag: FlagWithTags) => ({
  ...flagContent(flag),
  description: flag.description,
  tags: attachedTagInputs(flag.attachedTags),
});
