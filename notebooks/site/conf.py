"""How Sphinx makes the site of what ``build.py`` has put together."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

project = "msgrad"
author = "the authors of msgrad"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_nb"]
html_theme = "furo"
html_title = "msgrad"
html_show_copyright = False
html_copy_source = False
html_math_renderer = "mathml"

# Notebooks are shown as they were recorded.
nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

toc_object_entries = False
autodoc_typehints_format = "short"
napoleon_custom_sections = [
    ("Inputs", "params_style"),
    ("Outputs", "returns_style"),
    "Differs from MindSpore",
]
exclude_patterns = ["README.md"]


def _math(inline):
    def visit(writer, node):
        writer.body.append(tex2mathml(node.astext(), as_block=not inline))
        raise nodes.SkipNode

    return visit, None


def setup(app):
    """Let formulas be MathML, which needs no script from elsewhere."""
    app.add_html_math_renderer("mathml", _math(inline=True), _math(inline=False))
