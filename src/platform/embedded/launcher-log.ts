export interface LauncherLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: LauncherLog = { info: () => {}, warn: () => {}, error: () => {} };
