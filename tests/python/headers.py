"""What the public headers declare: names of classes, of their public members, and of functions."""

import pathlib
import re

KEYWORDS = set(
    "if for while return sizeof static_cast operator noexcept decltype requires alignas explicit const constexpr".split()
)


def declared(text):
    """Qualified names in the text of a header: {"Model", "Model.add", "run", ...}."""
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    text = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    names, scopes, start = set(), [], 0
    place = 0
    while place < len(text):
        c = text[place]
        if c == "{" and text.count("(", start, place) > text.count(")", start, place):
            place = _closed(text, place)  # of an argument's default
        elif c in ";{}":
            head = text[start:place].strip()
            if c == "{":
                scope, place = _opened(text, place, head, scopes, names)
                if scope is not None:
                    scopes.append(scope)
            else:
                _noted(head, scopes, names)
                if c == "}" and scopes:
                    scopes.pop()
            start = place + 1
        place += 1
    return names


def _opened(text, place, head, scopes, names):
    """A scope that matters is entered; bodies of functions and initial values are passed over."""
    namespace = re.search(r"\bnamespace(\s+\w+)*$", head)
    if namespace:
        return {"kind": "detail" if "detail" in head else "namespace", "name": "", "public": True}, place
    type_ = re.search(r"\b(class|struct|enum(?:\s+class)?)\s+(\w+)(?:\s*final)?(?:\s*:[^:].*)?$", _labeled(head, scopes), re.S)
    if type_ and "(" not in head:
        kind, name = type_[1], type_[2]
        if _is_public(scopes) and "template <>" not in head:
            names.add(_path(scopes, name))
        hidden = "template <>" in head or not _is_public(scopes)
        return {"kind": kind, "name": name, "public": kind != "class", "hidden": hidden}, place
    _noted(head, scopes, names)
    place = _closed(text, place)
    rest = re.match(r"\s*;?", text[place + 1 :])[0]
    return None, place + (len(rest) if rest.strip() else 0)


def _closed(text, place):
    """Where the brace that opens there is closed."""
    depth = 0
    while place < len(text):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
        place += 1
    return place


def _labeled(head, scopes):
    """Without ``public:`` and its like, which are taken note of."""
    for label in re.findall(r"\b(public|private|protected)\s*:(?!:)", head):
        scopes[-1]["public"] = label == "public"
    return re.sub(r"\b(public|private|protected)\s*:(?!:)", "", head).strip()


def _is_public(scopes):
    return all(s["public"] and not s.get("hidden") and s["kind"] != "detail" for s in scopes)


def _path(scopes, name):
    return ".".join([s["name"] for s in scopes if s["name"]] + [name])


def _noted(head, scopes, names):
    if scopes and scopes[-1]["kind"].startswith("enum"):
        return
    head = _labeled(head, scopes) if scopes else head
    if not head or not _is_public(scopes) or re.match(r"(using|friend|typedef|extern)\b|template <>", head):
        return
    head = _without_arguments(re.sub(r"\[\[.*?\]\]", "", head))
    if re.match(r"(class|struct|enum)\b[^({=]*$", head) or "operator" in head:
        return  # declared in advance, or of no name
    before = re.split(r"[={]", head)[0]
    pointer = re.search(r"\(\*\s*(\w+)\)", head)
    function = re.search(r"([~\w]+)\s*\(", before)
    if pointer or function:
        words = [(pointer or function)[1]]
    else:
        items = re.sub(r"\{[^{}]*\}|=[^,]*", "", head).split(",")
        words = [word[1] for item in items if (word := re.search(r"(\w+)\s*(?:\[.*\])?\s*$", item.strip()))]
    own = scopes[-1]["name"] if scopes else ""
    for word in words:
        if word not in KEYWORDS and not word.startswith("~") and word != own and not word.isdigit():
            names.add(_path(scopes, word))


def _without_arguments(text):
    """Of templates."""
    kept, depth = [], 0
    for k, c in enumerate(text):
        if c == "<" and (depth or re.match(r"\w", text[k - 1 : k] or " ")):
            depth += 1
        elif c == ">" and depth and text[k - 1] != "-":
            depth -= 1
        elif not depth:
            kept.append(c)
    return re.sub(r"^template\s*", "", "".join(kept).strip())


def of_folder(folder: pathlib.Path):
    """Per header."""
    return {file.name: declared(file.read_text()) for file in sorted(folder.glob("*.h"))}
