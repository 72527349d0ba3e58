import { useBooleanFlagValue } from "@openfeature/react-sdk";

/** The page. The server renders it first, and then the browser, with the same values of flags. */
export function App() {
  const isNew = useBooleanFlagValue("new-checkout", false);
  return <h1>{isNew ? "New checkout" : "Old checkout"}</h1>;
}
