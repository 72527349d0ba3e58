import { Component, type ReactNode, Suspense } from "react";
import { LoadFailed } from "./LoadFailed.tsx";

interface Props {
  /** Shown while the code of the children loads. By default nothing. */
  placeholder?: ReactNode;
  children: ReactNode;
}

/** Does outside of the dashboard what the router does for each of its pages. */
export class LoadBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { placeholder, children } = this.props;
    if (this.state.error !== undefined) return <LoadFailed error={this.state.error} />;
    return <Suspense fallback={placeholder}>{children}</Suspense>;
  }
}
