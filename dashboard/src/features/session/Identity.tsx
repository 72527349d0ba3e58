import { Badge, Text } from "@mantine/core";
import type { User } from "../../shared/api/types.ts";
import classes from "./Identity.module.css";

/** Who is signed in, and with which role. */
export function Identity({ user }: { user: User }) {
  return (
    <div className={classes.identity}>
      <div className={classes.names}>
        <Text size="sm" fw={500} truncate>
          {user.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {user.email}
        </Text>
      </div>
      <Badge variant="light" className={classes.role}>
        {user.role}
      </Badge>
    </div>
  );
}
