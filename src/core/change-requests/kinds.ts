export const REQUEST_KINDS = [
  "strategy.set",
  "flag.update",
  "flag.archive",
  "flag.unarchive",
  "flag.clone",
  "segment.update",
  "ramp.start",
] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];
