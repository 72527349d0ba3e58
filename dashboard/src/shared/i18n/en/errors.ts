/** What went wrong, for the person in front of the screen. */
export const errors = {
  unknown: "Something went wrong. Please try again.",
  unreachable: "The server cannot be reached. Check your connection and try again.",
  offline: "You are offline. What is shown may be out of date.",
  server: "The server could not handle this. Please try again in a moment.",
  forbidden: "Your role does not allow this.",
  notFound: "This does not exist, or not any more.",
  overtaken: "Somebody else has changed this meanwhile. Load it again before you change it.",
  credentials: "The e-mail address or the password is incorrect.",
  tooMany: "Too many attempts. Try again {{when}}.",
  later: "later",
  trace: "Trace id",
  copyTrace: "Copy the trace id",
  pageFailed: "This page could not be shown",
  pageMissing: "There is no such page",
  pageMissingText: "The address may be mistyped, or what it showed is gone.",
  home: "To the projects",
} as const;
