// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/Profiles.h"

#include "dialects/Prec/Spelling.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

#include <map>

using namespace mlir;
using namespace prec;

//===----------------------------------------------------------------------===//
// Where profiles are
//===----------------------------------------------------------------------===//

/// PREC_PROFILE_PATH, then share/prec/profiles beside the program's folder,
/// which is where both the build tree and an installation have them.
static std::vector<std::string> profileFolders() {
  std::vector<std::string> folders;
  if (auto path = llvm::sys::Process::GetEnv("PREC_PROFILE_PATH")) {
    SmallVector<StringRef> parts;
    StringRef(*path).split(parts, llvm::sys::EnvPathSeparator, -1,
                           /*KeepEmpty=*/false);
    for (StringRef part : parts)
      folders.push_back(part.str());
  }
  static int anchor;
  SmallString<128> shared(
      llvm::sys::fs::getMainExecutable(nullptr, static_cast<void *>(&anchor)));
  llvm::sys::path::remove_filename(shared);
  llvm::sys::path::append(shared, "..", "share", "prec", "profiles");
  llvm::sys::path::remove_dots(shared, /*remove_dot_dot=*/true);
  folders.push_back(shared.str().str());
  return folders;
}

/// Name to file; of two with one name the first folder's counts.
static std::map<std::string, std::string> installedProfiles() {
  std::map<std::string, std::string> files;
  for (const std::string &folder : profileFolders()) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end;
         it != end && !error; it.increment(error))
      if (llvm::sys::path::extension(it->path()) == ".mlir")
        files.emplace(llvm::sys::path::stem(it->path()).str(), it->path());
  }
  return files;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Reads profiles from files. They have a context of their own, since a rule
/// may need dialects that the program's context has not loaded, and a pass may
/// load none. Its diagnostics go on to the program's context.
class Reader {
public:
  explicit Reader(MLIRContext *target, const DialectRegistry &registry)
      : target(target), context(registry, MLIRContext::Threading::DISABLED),
        forward(&context, [this](Diagnostic &d) { return onDiagnostic(d); }) {
    context.printOpOnDiagnostic(target->shouldPrintOpOnDiagnostic());
  }

  /// The profile `name` of `root`, of a file or of the installation.
  FailureOr<ProfileOp> find(StringRef name, Operation *root);
  /// The installed profile `name`; `user` is what asked for it.
  FailureOr<ProfileOp> findInstalled(StringRef name, Operation *user);
  /// Adds the rules of `profile` after those of the profiles that it extends.
  LogicalResult collect(ProfileOp profile, ProfileRules &rules,
                        ArrayRef<ProfileOp> extendedBy = {});

private:
  LogicalResult onDiagnostic(Diagnostic &diagnostic);
  Location toTarget(Location loc);
  Attribute toTarget(Attribute attr);
  ModuleOp parse(StringRef path, Operation *user);
  FailureOr<ProfileOp> onlyProfile(ModuleOp file, StringRef path,
                                   Operation *user);

  MLIRContext *target;
  MLIRContext context;
  ScopedDiagnosticHandler forward;
  std::map<std::string, OwningOpRef<ModuleOp>> files;
};

} // namespace

Location Reader::toTarget(Location loc) {
  if (auto place = loc->findInstanceOf<FileLineColLoc>())
    return FileLineColLoc::get(target, place.getFilename(), place.getLine(),
                               place.getColumn());
  return UnknownLoc::get(target);
}

LogicalResult Reader::onDiagnostic(Diagnostic &diagnostic) {
  InFlightDiagnostic copy =
      target->getDiagEngine().emit(toTarget(diagnostic.getLocation()),
                                   diagnostic.getSeverity())
      << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    copy.attachNote(toTarget(note.getLocation())) << note.str();
  return success();
}

/// Attributes are uniqued in their context; text goes from one to the other.
Attribute Reader::toTarget(Attribute attr) {
  if (!attr || attr.getContext() == target)
    return attr;
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return parseAttribute(text, target);
}

/// The module in a file, read once; null after an error at `user`.
ModuleOp Reader::parse(StringRef path, Operation *user) {
  OwningOpRef<ModuleOp> &module = files[path.str()];
  if (module)
    return *module;
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(path, &message);
  if (!text) {
    user->emitError("cannot read a profile: ") << message;
    return {};
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, &context);
  return module ? *module : ModuleOp();
}

FailureOr<ProfileOp> Reader::findInstalled(StringRef name, Operation *user) {
  std::map<std::string, std::string> installed = installedProfiles();
  auto found = installed.find(name.str());
  if (found == installed.end()) {
    SmallVector<StringRef> names;
    for (const auto &entry : installed)
      names.push_back(entry.first);
    std::string suggestion = didYouMean(name, names);
    InFlightDiagnostic error = user->emitError("unknown profile '")
                               << name << "'" << suggestion;
    if (suggestion.empty())
      error << " (there are: " << llvm::join(names, ", ") << ")";
    return error;
  }
  ModuleOp file = parse(found->second, user);
  if (!file)
    return failure();
  auto profile = file.lookupSymbol<ProfileOp>(name);
  if (!profile)
    return file.emitError("expected the profile '") << name << "' in this file";
  return profile;
}

/// Of the profiles in a file the one that no other of them extends.
FailureOr<ProfileOp> Reader::onlyProfile(ModuleOp file, StringRef path,
                                         Operation *user) {
  llvm::MapVector<StringRef, ProfileOp> left;
  for (ProfileOp profile : file.getOps<ProfileOp>())
    left[profile.getSymName()] = profile;
  for (ProfileOp profile : file.getOps<ProfileOp>())
    if (profile.getBase())
      left.erase(*profile.getBase());
  if (left.size() == 1)
    return left.front().second;
  SmallVector<std::string> names = llvm::map_to_vector(
      left, [](auto &entry) { return "'" + entry.first.str() + "'"; });
  return user->emitError("expected one profile that no other extends in '")
         << path << "' but got "
         << (names.empty() ? "none" : llvm::join(names, ", "));
}

FailureOr<ProfileOp> Reader::find(StringRef name, Operation *root) {
  if (name.contains('/') || name.ends_with(".mlir")) {
    ModuleOp file = parse(name, root);
    if (!file)
      return failure();
    return onlyProfile(file, name, root);
  }
  if (root->hasTrait<OpTrait::SymbolTable>())
    if (auto own = dyn_cast_or_null<ProfileOp>(
            SymbolTable::lookupSymbolIn(root, name)))
      return own;
  return findInstalled(name, root);
}

LogicalResult Reader::collect(ProfileOp profile, ProfileRules &rules,
                              ArrayRef<ProfileOp> extendedBy) {
  SmallVector<ProfileOp> chain(extendedBy);
  chain.push_back(profile);
  if (std::optional<StringRef> name = profile.getBase()) {
    auto base =
        dyn_cast_or_null<ProfileOp>(SymbolTable::lookupNearestSymbolFrom(
            profile->getParentOp(), profile.getBaseAttr()));
    if (!base) {
      FailureOr<ProfileOp> installed = findInstalled(*name, profile);
      if (failed(installed))
        return failure();
      base = *installed;
    }
    if (llvm::is_contained(chain, base))
      return profile.emitError("profile '")
             << profile.getSymName() << "' extends '" << *name
             << "', which extends it";
    if (failed(collect(base, rules, chain)))
      return failure();
  }
  for (RuleOp rule : profile.getRules().getOps<RuleOp>()) {
    if (!RegisteredOperationName::lookup(rule.getTarget(), target))
      continue;
    ProfileRule copy;
    if (ArrayAttr types = rule.getTypesAttr())
      for (Type type :
           cast<ArrayAttr>(toTarget(types)).getAsValueRange<TypeAttr>())
        copy.types.push_back(type);
    copy.along = rule.getAlong();
    copy.where = cast_or_null<DictionaryAttr>(toTarget(rule.getWhereAttr()));
    copy.settings = cast<DictionaryAttr>(toTarget(rule.getSettingsAttr()));
    rules[rule.getTarget()].push_back(std::move(copy));
  }
  return success();
}

FailureOr<ProfileRules> prec::readProfile(StringRef name, Operation *root) {
  MLIRContext *context = root->getContext();
  DialectRegistry registry;
  context->getDialectRegistry().appendTo(registry);
  Reader reader(context, registry);
  FailureOr<ProfileOp> profile = reader.find(name, root);
  ProfileRules rules;
  if (failed(profile) || failed(reader.collect(*profile, rules)))
    return failure();
  return rules;
}

bool prec::listProfiles(const DialectRegistry &registry, raw_ostream &os) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool good = true;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    good = false;
    llvm::errs() << diagnostic.getLocation() << ": error: " << diagnostic
                 << "\n";
  });
  OwningOpRef<ModuleOp> user = ModuleOp::create(UnknownLoc::get(&context));
  Reader reader(&context, registry);
  std::map<std::string, std::string> installed = installedProfiles();
  size_t width = 0;
  for (const auto &entry : installed)
    width = std::max(width, entry.first.size());
  for (const auto &entry : installed) {
    FailureOr<ProfileOp> profile = reader.findInstalled(entry.first, *user);
    ProfileRules rules;
    if (failed(profile) || failed(reader.collect(*profile, rules)))
      continue;
    std::string line = entry.first;
    line.resize(width + 2, ' ');
    os << line << profile->getSummary().value_or("") << "\n";
  }
  return good;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Whether `op` has what `condition` asks for: an operand or an attribute, with
/// `true` any, with `false` none.
static bool holds(NamedAttribute condition, RoundingPointOpInterface op) {
  if (llvm::is_contained(op.getOperandNames(), condition.getName().getValue()))
    return op.hasOperand(condition.getName()) ==
           cast<BoolAttr>(condition.getValue()).getValue();
  Attribute actual =
      op->getInherentAttr(condition.getName()).value_or(Attribute());
  if (auto off = dyn_cast_or_null<BoolAttr>(actual); off && !off.getValue())
    actual = {};
  if (auto asked = dyn_cast<BoolAttr>(condition.getValue()))
    return asked.getValue() == static_cast<bool>(actual);
  return actual == condition.getValue();
}

bool ProfileRule::matches(RoundingPointOpInterface op) const {
  if (!types.empty() && !llvm::is_contained(types, op.getPointFormat()))
    return false;
  if (along && (*along == Along::rows) != op.isAlongRows())
    return false;
  return !where || llvm::all_of(where, [&](NamedAttribute condition) {
    return holds(condition, op);
  });
}
