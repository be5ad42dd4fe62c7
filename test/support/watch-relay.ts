import type { AnyActorRef, InspectionEvent } from 'xstate';
import type { Hop, PermissionRequest } from '../../src/core/events.js';

/** One hop as the actor itself saw it: the actor that got the request, and the path that the request had. */
export type SeenHop = { readonly actor: string; readonly path: readonly Hop[] };

/** Watches every `permission.request` at the actor that receives it. */
export function watchRelay() {
  const seen: SeenHop[] = [];
  return {
    seen,
    inspect(event: InspectionEvent): void {
      if (event.type !== '@xstate.event' || event.event.type !== 'permission.request') return;
      const { path } = event.event as unknown as PermissionRequest; // by its type
      seen.push({ actor: nameOf(event.actorRef as AnyActorRef), path }); // every actor of ours is one
    },
  };
}

/** The name of an actor in a path: its agent's ID, its task's ID, or its own. */
function nameOf(actor: AnyActorRef): string {
  const { machine, context } = actor.getSnapshot() as {
    machine: { id: string };
    context: { input?: { id?: string; agentId?: string } };
  };
  switch (machine.id) {
    case 'agent':
      return context.input?.agentId ?? '';
    case 'task':
      return context.input?.id ?? '';
    default:
      return machine.id;
  }
}
