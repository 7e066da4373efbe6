declare global {
  /** The types of the official SDK v1 name this type of the DOM library; Node has the class without it. */
  type HeadersInit = ConstructorParameters<typeof Headers>[0];
}

export {};
