type Role = "ADMIN" | "DEVELOPER" | "VIEWER";

export interface User {
  id: number;
  email: string;
  name: string;
  role: Role;
  status: string;
  avatar: string | null;
  locale: string;
  createdAt: string;
  lastActiveAt: string;
}

/** What opens or renews a session: an access token of minutes and a refresh token of days. */
export interface SessionAnswer {
  token: string;
  refreshToken: string;
  user: User;
  /** Only when a second factor is required and the user has none yet. */
  mfaEnrollmentDeadline?: string;
}

export interface FieldFault {
  field: string;
  message: string;
}

/** Body of every error the API answers. */
export interface ErrorBody {
  error: string;
  code: string;
  traceId: string;
  /** With `VALIDATION_ERROR`. */
  details?: FieldFault[];
}
