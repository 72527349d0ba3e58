import { Alert } from "@mantine/core";

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });

/** For a user who must have a second factor and has none. */
export function SecondFactorNotice({ deadline }: { deadline: string }) {
  return (
    <Alert mb="lg">
      Every account needs a second factor. Without one, your access ends on{" "}
      {DATE.format(new Date(deadline))}.
    </Alert>
  );
}
