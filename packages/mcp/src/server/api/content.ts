/** One block of an answer. Any content type of the protocol may stand here. */
export interface ContentBlock {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A picture that stands for a tool, a resource or a prompt in lists. */
export interface Icon {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** `48x48` or `any`, one for each size that is in it. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Whom content is for and how much it matters. */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 (could be left out) … 1 (must be there). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** What tools, resources, templates and prompts can all say about themselves. */
export interface Described {
  /** For people. Default: the name. */
  readonly title?: string;
  /** For people and models. */
  readonly description?: string;
  readonly icons?: readonly Icon[];
  /** Passed on as it is. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}
