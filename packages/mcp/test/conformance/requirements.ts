/** How binding a rule is. `OURS`: the specification leaves the matter open, and this is what linewire decided. */
type Level = 'MUST' | 'SHOULD' | 'OURS';

/** Whom a rule binds: every revision, those that open with `initialize`, those that carry an envelope, or one revision. */
type Era = 'both' | 'legacy' | 'modern' | '2025-03-26';

/** One thing that a server on stdio has to do. */
export interface Requirement {
  readonly era: Era;
  readonly level: Level;
  /** The page of the specification, without the revision: `basic/transports#stdio`. */
  readonly page: string;
  /** One sentence. */
  readonly rule: string;
}

type Rule = Pick<Requirement, 'level' | 'rule'>;

const must = (rule: string): Rule => ({ level: 'MUST', rule });
const should = (rule: string): Rule => ({ level: 'SHOULD', rule });
const ours = (rule: string): Rule => ({ level: 'OURS', rule });

function page<Id extends string>(era: Era, page: string, rules: Record<Id, Rule>): Record<Id, Requirement> {
  const entries = Object.entries<Rule>(rules).map(([id, rule]) => [id, { era, page, ...rule }]);
  return Object.fromEntries(entries) as Record<Id, Requirement>;
}

/** What a server must do, by id. Every id is cited by a check, and every citation is an id: see `coverage.test.ts`. */
export const requirements = {
  ...page('both', 'basic#messages', {
    'base.version': must('Every message that is written says jsonrpc "2.0".'),
    'base.one-outcome': must('An answer has a result or an error, and never both.'),
    'base.error-object': must('An error has an integer code and a message that is text.'),
    'base.id-echo': must('An answer has the id of its request, of the same type.'),
    'base.id-exact': ours('An id comes back as it was written, also beyond 2^53 and with escapes.'),
    'base.id-values': must('Zero, negative numbers and the empty string are ids like others.'),
    'base.id-unusable': ours(
      'A request whose id is null, a fraction or no scalar never runs and gets no answer.',
    ),
    'base.id-strict': ours('The id 7 and the id "7" are two ids.'),
    'base.id-duplicate': ours(
      'The second request of an id in flight is -32600 and does not run; the first goes on.',
    ),
    'base.id-reuse': must('An id may be used again once its request is answered.'),
    'base.notification-silent': must('A notification is never answered, not even by an error.'),
    'base.no-id-no-request': must(
      'A method of requests that comes without an id is a notification, and ignored.',
    ),
    'base.notification-name-with-id': must('A request may not be named like a notification: -32601.'),
    'base.unknown-method': must('An unknown method is -32601.'),
    'base.unusable-request': ours('Wrong jsonrpc, method or params with a usable id is -32600 with that id.'),
    'base.params-null': ours('Params that are null are absent.'),
    'base.unknown-members': must('Unknown members of a message, of its params and of its _meta are ignored.'),
    'base.not-a-message': ours('What is JSON but no message is counted and reported, not answered.'),
    'base.doubled-member': ours(
      'A message that has id, method or another member of the envelope twice is a fault.',
    ),
    'base.not-json': ours('What is not JSON is counted and reported, not answered, and the next line works.'),
    'base.unmatched-answer': must('An answer that nobody waits for is ignored, counted and reported.'),
    'base.error-without-id': ours(
      'An error whose id is null or absent belongs to nobody, and is counted and reported.',
    ),
    'base.bad-answer': ours('An answer with both outcomes, or none, is dropped when nobody waits for it.'),
    'base.too-large': ours(
      'A request over the limit is -32600 with limit and size, other frames are counted; the connection stays.',
    ),
    'base.token-types': must('A progress token is a string or an integer; any other one is -32602.'),
    'base.codes': must(
      'No error code of the implementations’ old range is sent, and no resource is missing by -32002.',
    ),
    'base.internal-error': must('A handler that fails, other than a tool, is -32603.'),
  }),
  ...page('both', 'basic#batching', {
    'batch.refused': must('An array is no message, unless 2025-03-26 was negotiated and batches are served.'),
  }),
  ...page('2025-03-26', 'basic#batching', {
    'batch.answered': must('A batch is answered by one array, with one answer for each request in it.'),
    'batch.notifications': must('A batch of notifications gets no answer.'),
    'batch.empty': must('An empty batch is one -32600.'),
    'batch.bad-element': must('What is no message inside a batch is a -32600 of its own.'),
    'batch.no-initialize': must('A batch contains no initialize.'),
  }),
  ...page('both', 'basic/transports#stdio', {
    'stdio.one-line': must('A message is one line, and holds no newline.'),
    'stdio.only-messages': must('stdout carries messages and nothing else.'),
    'stdio.utf8': must('Messages are UTF-8; one that is not is a fault.'),
    'stdio.split-anywhere': must('Chunks may begin and end anywhere, also within a character.'),
    'stdio.only-lf': must('Only LF ends a line: U+2028, U+2029 and U+0085 are text.'),
    'stdio.noise': ours('Blank lines, CRLF, spaces around a message and a BOM at the start are taken.'),
    'stdio.last-line': ours(
      'At the end of input a whole object without newline is a message, a torn one a fault.',
    ),
    'stdio.end-answers': ours('At the end of input everything that was accepted is answered.'),
    'stdio.end-exit': should('A server whose input has ended exits promptly, with 0.'),
    'stdio.any-stream': should('Sockets and other streams of bytes carry the same frames.'),
    'stdio.reader-gone': should('A server whose reader has gone ends in order.'),
  }),
  ...page('legacy', 'basic/lifecycle', {
    'legacy.handshake': must('initialize is answered with version, capabilities and serverInfo.'),
    'legacy.version-same': must('A revision that is spoken is answered as asked.'),
    'legacy.counter-offer': must('Asked for an unknown revision, the server names its newest legacy one.'),
    'legacy.never-modern': must('A modern revision is never negotiated by initialize.'),
    'legacy.initialize-params': must(
      'initialize without version, capabilities or clientInfo is -32602 and opens nothing.',
    ),
    'legacy.initialize-again': ours('A second initialize negotiates again.'),
    'legacy.instructions': must('Instructions are part of the handshake.'),
    'legacy.initialized-silent': must('notifications/initialized is not answered.'),
    'legacy.initialized-free': ours('A server waits for no notifications/initialized before it serves.'),
    'legacy.before-initialize': ours(
      'Before initialize a request without envelope is -32602, unless it is a ping.',
    ),
    'legacy.not-offered': must('A method of a capability that is not offered is -32601.'),
    'legacy.no-modern-members': ours(
      'A legacy result has no resultType, no cache hints and no serverInfo in _meta.',
    ),
    'legacy.no-discover': must('server/discover without envelope is -32601.'),
    'legacy.tasks': must('Tasks are not offered: tasks/* is -32601, and a task member of a call is ignored.'),
  }),
  ...page('legacy', 'basic/utilities', {
    'legacy.ping': must('ping is answered {} at any time.'),
    'legacy.cancel': should('A request that was cancelled is stopped and gets no answer.'),
    'legacy.progress': must('Progress has the token of its request and comes before the answer.'),
    'legacy.progress-rises': must('Progress of one token rises strictly.'),
    'legacy.request-time-out': should(
      'A request to the client that is not answered in time is cancelled, and fails.',
    ),
  }),
  ...page('both', 'basic/utilities/cancellation', {
    'cancel.ignored': must('A cancel of an id that is unknown, finished or missing is ignored.'),
    'cancel.nothing-after': must(
      'After a cancel nothing more is sent for that request, neither progress nor log.',
    ),
    'progress.not-asked': must('Without a token there is no progress.'),
    'progress.ends': must('After the answer there is no progress.'),
  }),
  ...page('both', 'server/tools', {
    'tools.list': must('Each tool has a name and a schema whose root is an object; the order is stable.'),
    'tools.call': must('A call is answered with content blocks.'),
    'tools.failed': must('A tool that throws is a result with isError.'),
    'tools.bad-arguments': must('Arguments that do not fit the schema are a result with isError.'),
    'tools.unknown': must('An unknown tool is -32602.'),
    'tools.bad-params': must('Params of a call that have the wrong shape are -32602.'),
    'tools.structured': should('Structured content comes with a text block that says the same.'),
  }),
  ...page('both', 'server/resources', {
    'resources.list': must('Each resource has a uri and a name.'),
    'resources.templates': must('Each template has a uriTemplate and a name.'),
    'resources.read': must('A read is answered with contents, each with its uri and text or blob.'),
    'resources.template-read': must('A uri that fits a template is read by it.'),
    'resources.not-found': must('An unknown resource is -32602 with data.uri in every era.'),
  }),
  ...page('legacy', 'server/resources', {
    'resources.subscribe': must(
      'A subscribed resource is announced when it changes, until it is unsubscribed.',
    ),
    'resources.list-changed': should(
      'A change of a list is announced, unasked, by what the capability says.',
    ),
  }),
  ...page('both', 'server/prompts', {
    'prompts.list': must('Each prompt has a name, and its arguments have names.'),
    'prompts.get': must('A prompt is answered with messages of a role and one content block.'),
    'prompts.refused': must('An unknown prompt and a missing argument are -32602.'),
  }),
  ...page('both', 'server/utilities', {
    'completion.values': must('A completion has at most 100 values, and says so when there were more.'),
    'completion.unknown': must('A completion for an unknown prompt or template is -32602.'),
    'pages.walk': must('A list longer than a page has a nextCursor, and the pages together are the list.'),
    'pages.bad-cursor': should('A cursor that was never handed out, also the empty one, is -32602.'),
  }),
  ...page('legacy', 'server/utilities/logging', {
    'logging.set-level': must(
      'logging/setLevel is answered {}, and lower messages are not sent from then on.',
    ),
    'logging.bad-level': should('An unknown level is -32602.'),
  }),
  ...page('legacy', 'client', {
    'ask.request': must(
      'A tool that asks sends one request with an id of the server’s own, and gets the bare result.',
    ),
    'ask.capability': must('Nothing is asked of a client that did not declare the capability.'),
    'ask.refused': must('A client’s error to an ask reaches the tool, and its call is answered.'),
  }),
  ...page('modern', 'basic', {
    'modern.no-handshake': must('A request with an envelope is served without any before it.'),
    'modern.version-string': must('A version in the envelope that is no string is -32602.'),
    'modern.version-known': must('A request of an unknown version is -32022 with supported and requested.'),
    'modern.capabilities-required': must(
      'An envelope without clientCapabilities, or with bad ones, is -32602.',
    ),
    'modern.info-optional': should('An envelope without clientInfo is served.'),
    'modern.info-shape': ours('A clientInfo without name or version is -32602.'),
    'modern.level-shape': ours('An unknown logLevel is -32602.'),
    'modern.check-order': ours(
      'Version string, version, envelope, method, params, capability: judged in that order.',
    ),
    'modern.removed': must('A method that the modern revisions do not have is -32601.'),
    'modern.never-requests': must('A server never sends a request to a modern client.'),
    'modern.result-type': must('Every result has a resultType.'),
    'modern.server-info': should('Every result has the serverInfo in its _meta.'),
    'modern.bare-errors': must('Errors have neither resultType nor _meta.'),
    'modern.notification-meta': must('Notifications need no envelope, and may have one.'),
  }),
  ...page('modern', 'server/discover', {
    'discover.answer': must(
      'discover names versions, capabilities and cache hints, and no serverInfo of its own.',
    ),
    'discover.modern-only': ours('discover lists the versions that an envelope may name.'),
    'discover.instructions': must('Instructions are part of discover.'),
  }),
  ...page('modern', 'basic/caching', {
    'cache.hints': must('Six kinds of results have ttlMs and cacheScope, all others none.'),
  }),
  ...page('modern', 'basic/utilities', {
    'modern.cancel': must('A cancelled request gets no answer.'),
    'modern.progress': must('Progress comes before the answer, with the token of the request.'),
    'modern.log-opt-in': must(
      'Log messages go to requests that set a logLevel, at or above it, until the answer.',
    ),
  }),
  ...page('modern', 'basic/input-required', {
    'input.asks': must('A tool that needs input answers input_required with its requests and a state.'),
    'input.capability': must(
      'What the client did not declare is not asked for: -32021 with requiredCapabilities.',
    ),
    'input.retry': must('The retry, with a new id, the answers and the state, is answered as a call.'),
    'input.ask-again': should(
      'A retry without the answer is asked again; keys nobody asked for are ignored.',
    ),
    'input.forged-state': must('A state that was changed, or made for another call, is refused with -32602.'),
  }),
  ...page('modern', 'server/subscriptions', {
    'sub.ack-first': must('A subscription begins with its acknowledgement, which names what is honoured.'),
    'sub.tagged': must('All that belongs to a subscription has its id, of the same type.'),
    'sub.only-asked': must('Nothing is sent that the filter did not ask for.'),
    'sub.each': must('A change is sent once to each subscription that asked for it.'),
    'sub.cancel': must('After the cancel of a subscription there is silence, and no answer.'),
    'sub.server-end': should('A server that ends a subscription sends its result, and no cancel.'),
    'sub.bad-filter': must('A filter that is missing or has the wrong types is -32602.'),
    'sub.unknown-fields': must(
      'Unknown fields of a filter are ignored; a filter that asks for nothing is kept.',
    ),
  }),
  ...page('both', 'basic/lifecycle#eras', {
    'era.per-request': ours('Each request is judged by its own envelope, whatever came before it.'),
    'era.version-any-time': must(
      'An unknown version is -32022 at any time, also after good ones and after initialize.',
    ),
    'era.notification': ours('A notification decides no era.'),
    'era.garbage': ours('Garbage and stray answers decide no era.'),
    'era.switch': ours('initialize is answered also after modern requests.'),
    'era.enveloped-initialize': ours('initialize with an envelope is -32601, and opens nothing.'),
    'era.modern-only': ours('A server without legacy answers initialize -32022, and names its versions.'),
  }),
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;
