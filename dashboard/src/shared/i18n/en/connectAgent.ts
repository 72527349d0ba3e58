/** The texts in the profile about how to connect an agent. */
export const connectAgent = {
  title: "Connect an agent",
  text: "An agent finds, explains and changes flags over MCP, and the history names it.",
  program: "Program",
  inTerminal: "Run this in a terminal.",
  inFile: "Add this to {{file}}.",
  asks: "The program opens the browser, where you choose its rights.",
  replace: "Put a token in the place of {{token}}.",
  withToken: "With a token",
  withTokenHint: "For programs that do not sign in with OAuth, or run without a browser.",
  linesOf: "Lines for {{program}}",
  bounds:
    "With the right “Read”, the agent only reads. In a protected environment, it opens change requests, and people approve them.",
};
