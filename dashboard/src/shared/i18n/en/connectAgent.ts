/** The texts in the profile about how to connect an agent. */
export const connectAgent = {
  title: "Connect an agent",
  text: "An agent finds, explains and changes flags, and the history names it. A program with OAuth needs only the URL, and asks for rights in the browser. For others, create a token.",
  program: "Program",
  inTerminal: "Run this in a terminal.",
  inFile: "Add this to {{file}}.",
  replace: "Put a token in the place of {{token}}.",
  linesOf: "Lines for {{program}}",
  bounds:
    "The agent can do what its token can do. With the right “Read”, it only reads. In a protected environment, it opens change requests, and people approve them.",
};
