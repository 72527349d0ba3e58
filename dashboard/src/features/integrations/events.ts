import type { Schemas } from "../../shared/api/types.ts";
import { every } from "../../shared/every.ts";

export type EventName = Schemas["EventType"];
type Group = EventName extends `${infer Name}.${string}` ? Name : never;

/** The events to which an integration can subscribe. */
export const EVENTS = every<EventName>()([
  "flag.created",
  "flag.updated",
  "flag.archived",
  "flag.unarchived",
  "flag.stale",
  "flag.deleted",
  "segment.created",
  "segment.updated",
  "segment.deleted",
  "environment.protection-updated",
  "change-request.opened",
  "change-request.review-requested",
  "change-request.reviewed",
  "change-request.applied",
  "change-request.outdated",
  "change-request.blocked",
  "change-request.closed",
  "ramp.started",
  "ramp.stepped",
  "ramp.paused",
  "ramp.resumed",
  "ramp.aborted",
  "ramp.stopped",
  "ramp.completed",
]);

const groupOf = (event: EventName) => event.split(".")[0] as Group;

/** The events by what they are about. */
export const EVENT_GROUPS = [...new Set(EVENTS.map(groupOf))].map((group) => ({
  group,
  events: EVENTS.filter((event) => groupOf(event) === group),
}));

/** Whether an integration is subscribed to every event that this release knows. */
export const hasEveryEvent = (events: readonly string[]): boolean =>
  EVENTS.every((event) => events.includes(event));

/**
 * Returns subscribed events after some were selected or deselected. Keeps the names of events that
 * this release does not know, because the service may be newer than the open page.
 */
export function withEvents(
  subscribed: readonly string[],
  changed: readonly EventName[],
  isSelected: boolean,
): string[] {
  const known = EVENTS.filter((event) =>
    changed.includes(event) ? isSelected : subscribed.includes(event),
  );
  const names: readonly string[] = EVENTS;
  return [...known, ...subscribed.filter((name) => !names.includes(name))];
}

/** The webhook event of a test delivery. Integrations cannot subscribe to this event. */
export const TEST_EVENT = "integration.test";
