import type { InspectedActor } from '../../src/actors/contract/inspected-actor.js';

/** An actor and all below it, owners first. */
export function allActors(actor: InspectedActor): readonly InspectedActor[] {
  return [actor, ...actor.children.flatMap(allActors)];
}

/** The waits of the first actor of this kind and label; undefined without such an actor. */
export function waitsOf(
  tree: InspectedActor,
  label: string,
  kind: InspectedActor['kind'] = 'agent',
): readonly string[] | undefined {
  return allActors(tree).find((actor) => actor.kind === kind && actor.label === label)?.waitingFor;
}
