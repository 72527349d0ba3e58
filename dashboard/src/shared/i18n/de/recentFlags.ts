import type { Messages } from "../en/index.ts";

export const recentFlags: Messages["recentFlags"] = {
  title: "Zuletzt geöffnet",
};
