/** The tools that only read. */
const READ_TOOLS = ["find_flags", "get_flag", "explain", "history", "stale_flags"] as const;

/** The tools that need a token with the scope `write`. */
const WRITE_TOOLS = ["create_flag", "set_rollout", "switch_flag", "archive_flag"] as const;

export type ToolName = (typeof READ_TOOLS)[number] | (typeof WRITE_TOOLS)[number];

/** Whether a tool needs the scope `write`. False for an unknown name. */
export const isWriteTool = (name: unknown): boolean =>
  (WRITE_TOOLS as readonly unknown[]).includes(name);
