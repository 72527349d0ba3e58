/** What an integration can be told of: those of `src/db/outbox.ts`. */
export const EVENT_GROUPS = [
  {
    about: "flag",
    events: ["flag.created", "flag.updated", "flag.archived", "flag.unarchived", "flag.deleted"],
  },
  { about: "segment", events: ["segment.created", "segment.updated", "segment.deleted"] },
] as const;

export type EventName = (typeof EVENT_GROUPS)[number]["events"][number];

export const EVENTS: readonly EventName[] = EVENT_GROUPS.flatMap<EventName>(({ events }) => events);

/** The event of a test: nobody subscribes to it. */
export const TEST_EVENT = "integration.test";
