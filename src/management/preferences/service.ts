import type { UserActor } from "@feature-flags/permissions/permissions";
import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Unaudited } from "../../db/unaudited.ts";
import { type Call, ownAccount, type Writing } from "../../access/call.ts";
import { findProject } from "../../model/projects/queries.ts";
import { unknownProject, visibleProject } from "../../access/scope.ts";
import {
  deleteEntry,
  type Entry,
  type EntryRow,
  findEntries,
  insertEntry,
  MAX_ENTRIES,
  type PreferencesOf,
  renameFilter,
} from "../../model/preferences/queries.ts";

type PreferenceChange = { readonly projectId: number } & (
  | {
      readonly change: "addFavourite" | "removeFavourite" | "addRecent";
      readonly flagId: number;
    }
  | { readonly change: "saveFilter"; readonly name: string; readonly query: string }
  | { readonly change: "renameFilter"; readonly name: string; readonly newName: string }
  | { readonly change: "deleteFilter"; readonly name: string }
  | { readonly change: "setColumns"; readonly columns: readonly string[] | null }
);

/** Returns the preferences of the user in a project. Throws: 404 for an unknown project. */
export const getPreferences = (
  call: Call,
  { projectId }: { readonly projectId: number },
): Promise<EntryRow[]> => {
  const ctx = ownAccount(call, "session:own");
  return entriesIn(ctx, visibleProject(ctx.actor, projectId));
};

async function entriesIn(
  { db, actor }: Pick<Writing<UserActor>, "db" | "actor">,
  projectId: number,
): Promise<EntryRow[]> {
  const entries = await findEntries(db, { userId: actor.id, projectId });
  if (entries.length === 0 && !(await findProject(db, projectId))) throw unknownProject();
  return entries;
}

/**
 * Makes one change of the user's preferences in a project, and returns all of them. Changes of
 * different entries do not affect each other, also at the same time.
 * Throws: 404 for an unknown project, a flag that the project does not have and an unknown filter to
 * rename, 409 if there are too many entries of the kind or a filter already has the new name.
 */
export async function changePreferences(call: Call, change: PreferenceChange): Promise<EntryRow[]> {
  const ctx = ownAccount(call, "session:own");
  const projectId = visibleProject(ctx.actor, change.projectId);
  const of = { userId: ctx.actor.id, projectId };
  const { added, statements } = changeOf(of, change, ctx.now());
  await ctx.record(statements);
  const entries = await entriesIn(ctx, projectId);
  if (change.change === "renameFilter") assertRenamed(change, entries);
  const isAdded = entries.some(({ kind, name }) => kind === added?.kind && name === added.name);
  if (added && !isAdded) throw refusal(added, entries);
  return entries;
}

/** Returns the statements of a change, and the entry that it adds. */
function changeOf(
  of: PreferencesOf,
  change: PreferenceChange,
  now: number,
): { added?: Entry; statements: Unaudited[] } {
  const adding = (added: Entry) => ({ added, statements: insertEntry(of, added, now) });
  switch (change.change) {
    case "addFavourite":
    case "addRecent": {
      const kind = change.change === "addRecent" ? "recent" : "favourite";
      return adding({ kind, name: String(change.flagId), flagId: change.flagId });
    }
    case "removeFavourite":
      return {
        statements: [deleteEntry(of, { kind: "favourite", name: String(change.flagId) })],
      };
    case "saveFilter":
      return adding({ kind: "filter", name: change.name, value: change.query });
    case "renameFilter":
      return { statements: [renameFilter(of, change)] };
    case "deleteFilter":
      return { statements: [deleteEntry(of, { kind: "filter", name: change.name })] };
    default:
      return change.columns === null
        ? { statements: [deleteEntry(of, { kind: "columns", name: "" })] }
        : adding({ kind: "columns", name: "", value: change.columns });
  }
}

/** Throws: 404 if the filter does not exist, 409 if another filter has the new name. */
function assertRenamed(
  { name, newName }: { readonly name: string; readonly newName: string },
  entries: readonly EntryRow[],
): void {
  const exists = (called: string) =>
    entries.some((entry) => entry.kind === "filter" && entry.name === called);
  if (!exists(newName)) throw notFound("The saved filter does not exist");
  if (name !== newName && exists(name))
    throw conflict("Another saved filter already has this name");
}

/** Returns the error for an entry that was not inserted: its kind is full, or its flag is unknown. */
function refusal({ kind }: Entry, entries: readonly EntryRow[]) {
  const max = MAX_ENTRIES[kind];
  const isFull = kind !== "recent" && entries.filter((entry) => entry.kind === kind).length >= max;
  if (!isFull) return notFound("The flag does not exist in the project");
  const things = kind === "filter" ? "saved filters" : "favourites";
  return conflict(`A user can have at most ${max} ${things} in a project; remove one first`);
}
