import { Text } from "@mantine/core";
import { ProjectsPage } from "../features/projects/ProjectsPage.tsx";
import { Identity } from "../features/session/Identity.tsx";
import { SecondFactorNotice } from "../features/session/SecondFactorNotice.tsx";
import { SignOutButton } from "../features/session/SignOutButton.tsx";
import type { Session } from "../shared/session/session-store.ts";
import { BrandMark } from "../shared/ui/BrandMark.tsx";
import classes from "./Shell.module.css";

/** The frame around every page of a signed-in user. */
export function Shell({ session }: { session: Session }) {
  const { user, mfaEnrollmentDeadline } = session;
  return (
    <>
      <header className={classes.header}>
        <div className={classes.bar}>
          <div className={classes.brand}>
            <BrandMark size={28} />
            <Text fw={600}>Feature Flags</Text>
          </div>
          <div className={classes.identity}>
            <Identity user={user} />
          </div>
          <SignOutButton />
        </div>
      </header>
      <main className={classes.main}>
        {mfaEnrollmentDeadline !== undefined && (
          <SecondFactorNotice deadline={mfaEnrollmentDeadline} />
        )}
        <ProjectsPage />
      </main>
    </>
  );
}
