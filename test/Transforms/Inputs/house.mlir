// Two profiles: the file's is the one that the other does not extend.
prec.profile @divides extends @huggingface {
  prec.rule "nn.mean" {divide = #nn<divide quotient>}
}
prec.profile @house extends @divides "What we do here" {
  prec.rule "nn.rms_norm" {points = {eps = true}}
}
