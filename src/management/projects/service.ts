import { conflict } from "../../core/errors/api-error.ts";
import { DEFAULT_STALE_DAYS, projects } from "../../db/schema/projects.ts";
import { type Call, type Reading, reads, type RequestCall, writes } from "../../access/call.ts";
import { hasNoProtected } from "../../model/environments/protection-queries.ts";
import type { ById, ByIdIfMatch, ChangeOf, ListInProject } from "../../core/lib/input.ts";
import { retireIntegrations } from "../../model/integrations/queries.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { assertInProject, visibleTo, type Permitted, unknownProject } from "../../access/scope.ts";
import { holderOf, type ProjectStreamStart } from "../../access/ports/project-streams.ts";
import * as queries from "../../model/projects/queries.ts";
import type { ListedProject, ProjectContent, ProjectRow } from "../../model/projects/queries.ts";

const projectContent = ({
  name,
  description,
  staleDays,
  newFlagClients,
  visibility,
}: ProjectContent): ProjectContent => ({
  name,
  description,
  staleDays,
  newFlagClients,
  visibility,
});

const duplicate = conflict("A project with this name exists");
const environmentProtected = conflict(
  "The project has a protected environment; set requiredApprovals of its protection to 0 first",
);
const keysLeft = conflict("The project still has API keys; revoke them first");

/**
 * Returns all projects that the caller may see, and only the API key's own project for an API key. API
 * keys and service accounts see no names of users.
 */
export async function listProjects(
  call: Call,
  { counts = false }: Pick<ListInProject, "counts">,
): Promise<ListedProject[]> {
  const { db, actor } = reads(call, "project:read");
  const projectId = actor.kind === "key" ? actor.projectId : undefined;
  const rows = await queries.listProjects(db, { projectId, ...visibleTo(actor) }, counts);
  return actor.kind === "user" ? rows : rows.map(withoutPerson);
}

const withoutPerson = (row: ListedProject): ListedProject =>
  row.lastChange?.kind === "user" ? { ...row, lastChange: { ...row.lastChange, name: null } } : row;

/** Returns a project. Throws: 404 for an unknown id, 403 for an API key of another project. */
export const getProject = (call: Call, { id }: ById): Promise<ProjectRow> =>
  find(reads(call, "project:read"), id);

const find = async (ctx: Reading, id: number): Promise<ProjectRow> =>
  inProject(ctx, await queries.findProject(ctx.db, id));

/** Returns the row of a project, as `inScope` does. */
export function inProject<Row extends { readonly id: number }>(
  ctx: Permitted,
  row: Row | undefined,
): Row {
  if (!row) throw unknownProject();
  assertInProject(ctx, row.id, unknownProject());
  return row;
}

/** Creates a project. Throws: 409 if the name is in use, 402 if the quota of projects is used up. */
export async function createProject(
  call: Call,
  input: ChangeOf<ProjectContent> & Pick<ProjectContent, "name">,
): Promise<ProjectRow> {
  const ctx = writes(call, "project:create", { projectId: null });
  const { name, description = null, staleDays = DEFAULT_STALE_DAYS } = input;
  const { newFlagClients = "all", visibility = "everyone" } = input;
  const content = { name, description, staleDays, newFlagClients, visibility };
  const now = ctx.now();
  const id = queries.projectIdByName(name);
  await ctx.commit({
    guards: [{ quota: "PROJECTS", count: queries.countProjects }],
    statements: [queries.insertProject({ ...content, createdAt: now, updatedAt: now })],
    audit: [
      {
        action: "project.created",
        entityType: "project",
        entityId: id,
        projectId: id,
        after: content,
      },
    ],
    onDuplicate: duplicate,
  });
  const created = await queries.findProjectByName(ctx.db, name);
  if (!created) throw unknownProject();
  return created;
}

/**
 * Changes a project. Throws: 404 for an unknown id, 403 for a new name if the actor may not create
 * projects, 409 if the name is in use, 412 if `ifMatch` does not contain the current version.
 */
export async function updateProject(
  call: Call,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<ProjectContent>,
): Promise<ProjectRow> {
  const ctx = reads(call, "project:write");
  const read = () => find(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { name = row.name, description = row.description } = change;
      // A name that is taken is a conflict, also if it is the name of a private project. So only who
      // sees all projects may try names.
      if (name !== row.name) writes(call, "project:create", { projectId: null });
      const { staleDays = row.staleDays, visibility = row.visibility } = change;
      const { newFlagClients = row.newFlagClients } = change;
      const after = { name, description, staleDays, newFlagClients, visibility };
      const isHidden = visibility === "members" && row.visibility !== "members";
      return writes(call, "project:write", { projectId: id }).commit({
        ...(isHidden && { hides: { projectId: id } }),
        guards: [unchanged(projects, row)],
        statements: [queries.updateProject(id, { ...after, updatedAt: ctx.now() })],
        audit: [
          {
            action: "project.updated",
            entityType: "project",
            entityId: id,
            projectId: id,
            before: projectContent(row),
            after,
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/**
 * Deletes a project and everything in it. The integrations are hidden at once, and deleted after their last
 * webhook deliveries have ended. Throws: 404 for an unknown id, 409 while the project has API keys or a
 * protected environment, 412 if `ifMatch` does not contain the current version.
 */
export async function deleteProject(call: Call, { id, ifMatch }: ByIdIfMatch): Promise<void> {
  const ctx = reads(call, "project:write");
  await optimisticUpdate({
    ifMatch,
    read: async () => inProject(ctx, await queries.findProjectWithEnvironments(ctx.db, id)),
    write: ({ version, environmentIds, ...project }) =>
      writes(call, "project:write", { projectId: id }).commit({
        guards: [
          { holds: queries.projectHasNoKeys(id), error: keysLeft },
          { holds: hasNoProtected(id), error: environmentProtected },
          unchanged(projects, { id, version }),
        ],
        statements: [
          ...(project.visibility === "members" ? [queries.rememberPrivate(id)] : []),
          retireIntegrations(id, ctx.now()),
          queries.deleteProject(id),
        ],
        audit: [
          {
            action: "project.deleted",
            entityType: "project",
            entityId: id,
            projectId: id,
            before: projectContent(project),
          },
        ],
        deletes: { projectId: id, environmentIds },
        onForeignKey: keysLeft,
      }),
  });
}

/**
 * How recent a change must be, in milliseconds, for a client that connects without the id of an event to get
 * an event about it. The client has loaded its data just before, possibly before the change.
 */
const RECENT_MS = 10_000;

/**
 * Returns a function that opens an event stream with an event for each change of the project, and
 * returns its body. Throws: 404 for an unknown project, 403 for an API key of another project. The
 * function throws: 429 when the service holds as many streams as it can, or the caller as many as
 * one user or API key may; 503 when streams are unavailable.
 */
export async function streamChanges(
  call: Call & Pick<RequestCall, "projectStreams">,
  { id }: ById,
): Promise<
  (start: Omit<ProjectStreamStart, "holder" | "readNewest">) => Promise<ReadableStream<Uint8Array>>
> {
  const ctx = reads(call, "flag:read");
  await find(ctx, id);
  const { actor } = ctx;
  const userId = actor.kind === "user" ? actor.id : undefined;
  const readNewest = async () => {
    const newest = await queries.findNewestChange(ctx.db, id, userId);
    // Somebody has hidden the project from the user, while the stream was opened.
    if (newest && !newest.isVisible) throw unknownProject();
    return newest && { ...newest, isRecent: newest.at >= ctx.now() - RECENT_MS };
  };
  const holder = actor.kind === "system" ? actor.name : holderOf(actor);
  return (start) => ctx.projectStreams.open(id, { ...start, holder, readNewest });
}
