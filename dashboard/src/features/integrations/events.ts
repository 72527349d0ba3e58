/** The events to which an integration can subscribe. src/db/outbox.ts lists the same events. */
export const EVENT_GROUPS = [
  {
    group: "flag",
    events: [
      "flag.created",
      "flag.updated",
      "flag.archived",
      "flag.unarchived",
      "flag.stale",
      "flag.deleted",
    ],
  },
  { group: "segment", events: ["segment.created", "segment.updated", "segment.deleted"] },
  { group: "environment", events: ["environment.protection-updated"] },
  {
    group: "change-request",
    events: [
      "change-request.opened",
      "change-request.reviewed",
      "change-request.applied",
      "change-request.outdated",
      "change-request.blocked",
      "change-request.closed",
    ],
  },
  {
    group: "ramp",
    events: [
      "ramp.started",
      "ramp.stepped",
      "ramp.paused",
      "ramp.resumed",
      "ramp.aborted",
      "ramp.stopped",
      "ramp.completed",
    ],
  },
] as const;

export type EventName = (typeof EVENT_GROUPS)[number]["events"][number];

export const EVENTS: readonly EventName[] = EVENT_GROUPS.flatMap<EventName>(({ events }) => events);

/** The webhook event of a test delivery. Integrations cannot subscribe to this event. */
export const TEST_EVENT = "integration.test";
