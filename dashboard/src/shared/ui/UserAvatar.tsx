import { Avatar } from "@mantine/core";

/** Mantine colours whose initials meet the contrast of WCAG 2.2 AA in both themes. */
const COLOURS = ["blue", "cyan", "indigo", "violet", "grape", "pink"] as const;

/** Decorative: the name is always beside it. */
export function UserAvatar({ name, size = "sm" }: { name: string; size?: "sm" | "lg" }) {
  return (
    <Avatar
      name={name}
      color="initials"
      allowedInitialsColors={[...COLOURS]}
      size={size}
      alt=""
      aria-hidden
    />
  );
}
