import type { AnyActorRef, InspectionEvent } from 'xstate';
import type { Hop, PermissionRequest } from '../../src/core/events.js';

/** One hop as the actor itself saw it: who got the request, and the path that stood in it. */
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

/** What an actor calls itself in a path: its agent's id, its task's id, or its own. */
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
