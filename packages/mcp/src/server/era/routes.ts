import { idKeyOfSource } from '@linewire/framing';
import { ObjectResults } from '../run/object-answers.ts';
import { CompletionRoute } from './completion-route.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { HandlerRoutes } from './handler-routes.ts';
import { Handshake } from './handshake.ts';
import type { Incoming } from './incoming.ts';
import { LegacyRoutes } from './legacy-routes.ts';
import { ListRoutes } from './list-routes.ts';

/** The routes of all methods but `tools/call` and `ping`, each made for the first request that takes it. */
export class Routes {
  private readonly parts: DispatcherParts;
  private madeHandshake: Handshake | undefined = undefined;
  private madeLists: ListRoutes | undefined = undefined;
  private madeResults: ObjectResults | undefined = undefined;
  private madeHandlers: HandlerRoutes | undefined = undefined;
  private madeCompletions: CompletionRoute | undefined = undefined;
  private madeLegacy: LegacyRoutes | undefined = undefined;

  constructor(parts: DispatcherParts) {
    this.parts = parts;
  }

  get handshake(): Handshake {
    this.madeHandshake ??= new Handshake(this.parts);
    return this.madeHandshake;
  }

  private get lists(): ListRoutes {
    this.madeLists ??= new ListRoutes(this.parts.catalog, this.parts.connection.out);
    return this.madeLists;
  }

  private get handlers(): HandlerRoutes {
    this.madeHandlers ??= new HandlerRoutes(this.parts, this.results);
    return this.madeHandlers;
  }

  private get completions(): CompletionRoute {
    this.madeCompletions ??= new CompletionRoute(this.parts, this.results);
    return this.madeCompletions;
  }

  get legacy(): LegacyRoutes {
    this.madeLegacy ??= new LegacyRoutes(this.parts);
    return this.madeLegacy;
  }

  /** Runs a method that both eras have. False: it is none of them, and nothing was done. */
  takeShared(incoming: Incoming): boolean {
    switch (incoming.method) {
      case 'tools/list':
      case 'resources/list':
      case 'resources/templates/list':
      case 'prompts/list':
        this.lists.list(incoming);
        return true;
      case 'resources/read':
        this.handlers.readResource(incoming);
        return true;
      case 'prompts/get':
        this.handlers.getPrompt(incoming);
        return true;
      case 'completion/complete':
        this.completions.complete(incoming);
        return true;
      default:
        return false;
    }
  }

  listen({ idSource, params }: Incoming): void {
    this.parts.changes.modern.listen(idSource, idKeyOfSource(idSource), params ?? {});
  }

  private get results(): ObjectResults {
    this.madeResults ??= new ObjectResults(this.parts.connection.out, this.parts.catalog.infoText);
    return this.madeResults;
  }
}
