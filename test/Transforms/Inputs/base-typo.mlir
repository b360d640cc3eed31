prec.profile @mine extends @vlm {
}
