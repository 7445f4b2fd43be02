// Writes the pages of every exported type; fails if a type, function, method or accessor has no
// comment: node api.mjs
import { Application, ReflectionKind } from "typedoc";

// The name and type of a property often suffice.
const KINDS =
  ReflectionKind.Class |
  ReflectionKind.Interface |
  ReflectionKind.TypeAlias |
  ReflectionKind.Function |
  ReflectionKind.Variable |
  ReflectionKind.Method |
  ReflectionKind.Accessor;

const app = await Application.bootstrapWithPlugins();
const project = await app.convert();
if (project === undefined) process.exit(1);
app.validate(project);
const members = project.getReflectionsByKind(KINDS).filter(isNamed);
const silent = [...new Set(members.filter((member) => !hasComment(member)).map(nameOf))];
console.log(
  `${members.length} exported types, functions, methods and accessors, ${silent.length} without a comment`,
);
for (const name of silent) console.log(`  ${name}`);
if (silent.length > 0 || app.logger.hasWarnings()) process.exit(1);
await app.generateOutputs(project);

/** Whether a reflection is outside of an anonymous type, whose own comment describes its members. */
function isNamed(member) {
  for (let at = member; at !== undefined; at = at.parent) {
    if (at.kindOf(ReflectionKind.TypeLiteral)) return false;
  }
  // An untyped handle, such as AnyTable, repeats methods of its class.
  if (member.parent?.name.startsWith("Any")) return false;
  return !member.flags.isExternal;
}

function hasComment(member) {
  const signatures = member.signatures ?? (member.getSignature ? [member.getSignature] : []);
  const isDescribed = signatures.length > 0 && signatures.every((each) => each.hasComment());
  return member.hasComment() || isDescribed;
}

function nameOf(member) {
  return member.getFullName();
}
