export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place where this package looks at the environment; everything else is given it. */
export const environment = (): Environment => process.env;
