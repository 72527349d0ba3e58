import { MantineProvider } from "@mantine/core";
import { SignInPage } from "../features/session/SignInPage.tsx";
import { useSession } from "../shared/session/use-session.ts";
import { Shell } from "./Shell.tsx";

/** Shows the shell to whoever is signed in, at any path, and the sign-in page to everyone else. */
export function App() {
  const session = useSession();
  return (
    <MantineProvider defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {session ? <Shell key={session.user.id} user={session.user} /> : <SignInPage />}
    </MantineProvider>
  );
}
