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

/** What login and refresh answer: an access token of minutes and a refresh token of days. */
export interface SessionAnswer {
  token: string;
  refreshToken: string;
  user: User;
}

/** Body of every error the API answers. */
export interface ErrorBody {
  error: string;
  code: string;
  traceId: string;
}
