import { expect, it } from "vitest";
import { candidates } from "../src/completion.ts";
import { makeProgram } from "../src/program.ts";

const program = makeProgram();

it.each([
  [["l"], ["list", "login", "logout"]],
  [["--v"], ["--version"]],
  [
    ["list", "--s"],
    ["--search", "--stale"],
  ],
  [["on", "cart", "--e"], ["--env"]],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["list", "-e", ""], []],
  [["list", "--json", "--t"], ["--tag"]],
  [["nonsense", ""], []],
])("completes %j with %j", (words, expected) => {
  expect(candidates(program, words)).toEqual(expected);
});

it("offers every command that the help lists, and not the one that shells call", () => {
  const offered = candidates(program, [""]);
  expect(offered).toContain("watch");
  expect(offered).not.toContain("complete");
});
