import type { z } from "zod";
import type { AgentSession } from "../session/session.ts";
import type { ToolName } from "../session/tool-names.ts";

/** Whether a tool reads, creates something, or changes what exists. */
type Effect = "reads" | "creates" | "changes";

/** A tool: its description for agents, its schemas, and what it does. */
export interface Tool<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: I;
  readonly output: O;
  /** Throws: `ApiError`, whose message the agent reads. */
  readonly run: (session: AgentSession, input: z.output<I>) => Promise<z.input<O>>;
}
