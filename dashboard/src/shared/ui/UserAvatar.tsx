import { Avatar } from "@mantine/core";

/** Mantine's colours that give initials enough contrast for WCAG 2.2 AA in both themes. */
const COLOURS = ["blue", "cyan", "indigo", "violet", "grape", "pink"] as const;

/** Hidden from screen readers, because the user's name is always beside it. */
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
