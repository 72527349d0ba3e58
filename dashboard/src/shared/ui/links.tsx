import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

type Rest<P> = Omit<ComponentPropsWithRef<"a">, keyof P>;

/** A text link to another page of the dashboard. */
export const LinkAnchor = createLink((props: AnchorProps & Rest<AnchorProps>) => (
  <Anchor {...props} />
));

/** A link to another page of the dashboard that looks like a button. */
export const LinkButton = createLink((props: ButtonProps & Rest<ButtonProps>) => (
  <Button component="a" {...props} />
));
