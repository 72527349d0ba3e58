import { DEFAULT_MANAGER } from "@feature-flags/file/file";
import { textSteps } from "@feature-flags/file/normal";
import { shortSteps } from "@feature-flags/file/short";
import { inTurns, Turns } from "../../core/lib/turns.ts";
import { type Call, reads } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { inScope, unknownProject } from "../../access/scope.ts";
import { Ids, resourceKey } from "../../workflows/files/rows.ts";
import { findOwnership } from "../../model/files/ownership-queries.ts";
import { findContent, findProject } from "../../model/files/queries.ts";
import { completeFile, namesOf } from "../../workflows/files/to-file.ts";

export interface Export extends ById {
  /** The manager of the file. Undefined: the only manager of the project, or else none. */
  readonly manager?: string | undefined;
  /** The names of the fields that the file leaves to others. */
  readonly omit: readonly string[];
}

/**
 * Returns a project as the JSON of a file: without archived flags, and without fields that have their defaults,
 * unless the manager of the file owns them.
 * Throws: 404 for an unknown project, 400 if the project is too large.
 */
export async function exportFile(
  call: Call,
  { id, manager: asked, omit }: Export,
): Promise<string> {
  const ctx = reads(call, "project:export");
  const { db } = ctx;
  const project = inScope(ctx, await findProject(db, id), unknownProject());
  const content = await findContent(db, project);
  const { rows, managers } = await findOwnership(db, id);
  const manager = asked ?? (managers.length === 1 ? managers[0] : undefined);
  const ids = new Ids(content, []);
  const owned = new Set(
    rows.flatMap(({ kind, entityId, environmentId, fields, ...row }) =>
      row.manager === manager
        ? Object.keys(fields).map(
            (field) => `${resourceKey(kind, entityId, environmentId)} ${field}`,
          )
        : [],
    ),
  );
  const active = { ...content, flags: content.flags.filter(({ archived }) => !archived) };
  const turns = new Turns();
  const file = await inTurns(completeFile(active, namesOf(content)), turns);
  const short = shortSteps(
    manager === undefined || manager === DEFAULT_MANAGER ? file : { ...file, manager },
    {
      isOwned: (place) =>
        owned.has(
          `${resourceKey(place.kind, ids.of(place) ?? 0, ids.environment(place))} ${place.field}`,
        ),
      omit: new Set(omit),
      newFlagClients: project.newFlagClients,
    },
  );
  return inTurns(textSteps(await inTurns(short, turns)), turns);
}
